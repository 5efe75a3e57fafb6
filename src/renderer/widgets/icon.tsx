/** Line icons, 16 px. Decoration: the button around one carries the name. */
const paths = {
	settings: 'M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 2.5v4M5 9.5v4',
	keys: 'M1.5 4.5h13v7h-13zM4 7h.01M6.5 7h.01M9 7h.01M11.5 7h.01M5 9.5h6',
	close: 'M4 4l8 8M12 4l-8 8',
	smaller: 'M3.5 11.5h9',
	more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
	chevron: 'M6 4l4 4-4 4',
	theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
	search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3 3',
} as const;

export function Icon({ name, turned = false }: { name: keyof typeof paths; turned?: boolean }) {
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
