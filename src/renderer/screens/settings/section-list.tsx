/** The sections of the settings at the side, with the one in view marked. */
import { useEffect, useState } from 'react';
import { type SectionId, settingSections } from './setting-sections.ts';

interface SectionListProps {
	/** Those in which the search finds something. */
	found: ReadonlySet<SectionId>;
	/** Changes that are not saved, by section. */
	changes: ReadonlyMap<SectionId, number>;
}

export function SectionList({ found, changes }: SectionListProps) {
	const current = useSectionInView();
	return (
		<nav className="section-list" aria-label="Settings">
			<ul>
				{settingSections.map(({ id, title }) => {
					const count = changes.get(id) ?? 0;
					return (
						<li key={id}>
							<button
								type="button"
								className="button button-bare"
								aria-current={current === id ? 'true' : undefined}
								disabled={!found.has(id)}
								data-testid={`section-${id}`}
								onClick={() => showSection(id)}
							>
								{title}
								{count > 0 && (
									<span className="section-count">
										{count}
										<span className="unseen"> not saved</span>
									</span>
								)}
							</button>
						</li>
					);
				})}
			</ul>
		</nav>
	);
}

/** Brings a section into view and the keyboard to its title. */
export function showSection(id: string): void {
	const section = document.querySelector(`[data-section="${CSS.escape(id)}"]`);
	section?.scrollIntoView({ block: 'start' });
	section?.querySelector<HTMLElement>('h3')?.focus({ preventScroll: true });
}

/** The topmost section on screen; `null` before anything is drawn. */
function useSectionInView(): string | null {
	const [current, setCurrent] = useState<string | null>(null);
	useEffect(() => {
		const look = () => {
			const sections = [...document.querySelectorAll<HTMLElement>('[data-section]')];
			// The last one that begins in the upper third.
			const begun = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
			const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
			const shown = (atEnd ? sections.at(-1) : begun.at(-1)) ?? sections[0];
			setCurrent(shown?.dataset.section ?? null);
		};
		look();
		addEventListener('scroll', look, { passive: true });
		addEventListener('resize', look);
		return () => {
			removeEventListener('scroll', look);
			removeEventListener('resize', look);
		};
	}, []);
	return current;
}
