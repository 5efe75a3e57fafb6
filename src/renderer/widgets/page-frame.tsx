/** What every page but the floor has: its name, a sentence, its own controls. */
import type { ReactNode } from 'react';
import './page-frame.css';

interface PageFrameProps {
	title: ReactNode;
	/** A sentence under the title. */
	description?: ReactNode;
	/** Controls of the page, at the end of its head. */
	tools?: ReactNode;
	testId: string;
	children: ReactNode;
}

export function PageFrame({ title, description, tools, testId, children }: PageFrameProps) {
	return (
		<div className="page" data-testid={testId}>
			<header className="page-head">
				<div className="page-words">
					<h2 className="page-title">{title}</h2>
					{description && <p className="page-description">{description}</p>}
				</div>
				{tools && <div className="page-tools">{tools}</div>}
			</header>
			{children}
		</div>
	);
}
