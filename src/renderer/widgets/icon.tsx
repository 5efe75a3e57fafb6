/** Line icons, 16 px. Decoration: the button around one carries the name. */
const paths = {
	settings: 'M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 2.5v4M5 9.5v4',
	keys: 'M1.5 4.5h13v7h-13zM4 7h.01M6.5 7h.01M9 7h.01M11.5 7h.01M5 9.5h6',
	close: 'M4 4l8 8M12 4l-8 8',
	smaller: 'M3.5 11.5h9',
	more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
	chevron: 'M6 4l4 4-4 4',
	before: 'M10 4L6 8l4 4',
	theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
	floor: 'M4.5 2v12M11.5 2v12M4.5 5h7M4.5 8h7M4.5 11h7',
	incidents: 'M8 2.5v6M8 12.5v.01M2 14h12',
	insights: 'M2 13.5h12M3.5 11V8M6.5 11V4.5M9.5 11V6.5M12.5 11V2.5',
	connections: 'M5.5 2v3M10.5 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.5',
	usage: 'M2.5 13.5a5.5 5.5 0 1 1 11 0M8 13.5l2.5-4',
	limits: 'M2 11h3.5l5-6H14M2 5h3M10.5 11H14',
	outbox: 'M2 9.5h3.5l1 2h3l1-2H14M2 9.5v4h12v-4M8 8V2.5M5.5 5L8 2.5 10.5 5',
	providers: 'M4.5 12.5a3 3 0 0 1-.3-6 4 4 0 0 1 7.6 1 2.6 2.6 0 0 1-.3 5z',
	compare: 'M2.5 3h4.5v10H2.5zM9 3h4.5v10H9z',
	list: 'M2 4h12M2 8h12M2 12h12',
	cards: 'M2 2.5h5v4.5H2zM9 2.5h5v4.5H9zM2 9h5v4.5H2zM9 9h5v4.5H9z',
	play: 'M5 3l8 5-8 5z',
	pause: 'M5 3v10M11 3v10',
	check: 'M3 8.5l3.5 3.5L13 4.5',
	download: 'M8 2.5v7M5 7l3 3 3-3M2.5 13.5h11',
	copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
	search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3 3',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, turned = false }: { name: IconName; turned?: boolean }) {
	return (
		<svg
			className="icon"
			width="16"
			height="16"
			viewBox="0 0 16 16"
			fill="none"
			stroke="currentColor"
			strokeWidth="1.5"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
			transform={turned ? 'rotate(90)' : undefined}
		>
			<path d={paths[name]} />
			{name === 'theme' && <path d="M8 2.5a5.5 5.5 0 0 0 0 11z" fill="currentColor" stroke="none" />}
		</svg>
	);
}
