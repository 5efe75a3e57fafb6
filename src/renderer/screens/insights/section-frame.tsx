/** A part of the page, with a heading that another part of the window can lead to. */
import { type ReactNode, useId } from 'react';

interface SectionFrameProps {
	title: string;
	/** By which a place names it. */
	section: string;
	children: ReactNode;
}

export function SectionFrame({ title, section, children }: SectionFrameProps) {
	const id = useId();
	return (
		<section className="insights-section" aria-labelledby={id} data-testid={`insights-${section}`}>
			<h3 id={id} tabIndex={-1} data-section={section}>
				{title}
			</h3>
			{children}
		</section>
	);
}

/** A smaller part, beside others. */
export function Part({
	title,
	wide = false,
	children,
}: {
	title: string;
	wide?: boolean;
	children: ReactNode;
}) {
	return (
		<div className={wide ? 'insights-part insights-part-wide' : 'insights-part'}>
			<h4>{title}</h4>
			{children}
		</div>
	);
}
