/** What stands in an entry of the navigation: a sign, words, a count. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../widgets/icon.tsx';

interface NavWordsProps {
	icon: IconName;
	children: ReactNode;
	count?: ReactNode;
}

export function NavWords({ icon, children, count }: NavWordsProps) {
	return (
		<>
			<Icon name={icon} />
			<span className="nav-words">{children}</span>
			{count}
		</>
	);
}
