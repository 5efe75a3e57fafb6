/** Filters with a name, beside the box: two that are always there, and those that the operator kept. */
import { DropdownMenu } from 'radix-ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import {
	NAME_LIMIT,
	nameProblem,
	presetFilters,
	renamedFilter,
	restoredFilter,
	type SavedFilter,
	withFilter,
	withoutFilter,
} from '../../store/saved-filters.ts';
import { offerUndo } from '../../store/undo.ts';
import type { ViewStore } from '../../store/view-store.ts';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import '../../widgets/menu.css';
import './filter-chips.css';

/** What the operator is giving a name: the filter in force, or one that has a name already. */
type Naming = { readonly kind: 'new' } | { readonly kind: 'rename'; readonly name: string } | null;

export function FilterChips() {
	const { view } = useFloorContext();
	const filter = useView((state) => state.filter.trim());
	const saved = useView(({ preferences }) => preferences.savedFilters);
	const [naming, setNaming] = useState<Naming>(null);
	const isKnown = [...presetFilters, ...saved].some((one) => one.filter === filter);
	return (
		<div className="chips">
			<ul className="chips-list" aria-label="Filters">
				{presetFilters.map((one) => (
					<li key={one.name} className="chip">
						<ChipButton filter={one} inForce={one.filter === filter} />
					</li>
				))}
				{saved.map((one) => (
					<li key={one.name} className="chip" data-testid="saved-filter">
						<ChipButton filter={one} inForce={one.filter === filter} />
						<ChipMenu filter={one} onRename={() => setNaming({ kind: 'rename', name: one.name })} />
					</li>
				))}
			</ul>
			{naming === null && filter !== '' && !isKnown && (
				<button type="button" className="button button-bare" onClick={() => setNaming({ kind: 'new' })}>
					Save filter…
				</button>
			)}
			{naming !== null && (
				<NameForm
					key={naming.kind === 'new' ? 'new' : naming.name}
					was={naming.kind === 'new' ? null : naming.name}
					onName={(name) => {
						keep(view, (all) =>
							naming.kind === 'new'
								? withFilter(all, { name, filter })
								: renamedFilter(all, naming.name, name),
						);
						setNaming(null);
					}}
					onCancel={() => setNaming(null)}
				/>
			)}
		</div>
	);
}

function ChipButton({ filter: { name, filter }, inForce }: { filter: SavedFilter; inForce: boolean }) {
	const { view } = useFloorContext();
	return (
		<button
			type="button"
			className="chip-button"
			aria-pressed={inForce}
			title={inForce ? `${filter}: press again to show all` : filter}
			onClick={() => view.setState({ filter: inForce ? '' : filter })}
		>
			<Untrusted text={name} limit={NAME_LIMIT} />
		</button>
	);
}

function ChipMenu({ filter, onRename }: { filter: SavedFilter; onRename: () => void }) {
	const { view } = useFloorContext();
	// The form takes the focus; the menu would take it back to its button.
	const renaming = useRef(false);
	return (
		<DropdownMenu.Root modal={false}>
			<DropdownMenu.Trigger className="chip-more" aria-label={`Change the filter ${filter.name}`}>
				<Icon name="more" />
			</DropdownMenu.Trigger>
			<DropdownMenu.Content
				className="menu"
				align="start"
				sideOffset={4}
				onCloseAutoFocus={(event) => {
					if (renaming.current) event.preventDefault();
					renaming.current = false;
				}}
			>
				<DropdownMenu.Item
					className="menu-item menu-plain"
					onSelect={() => {
						renaming.current = true;
						onRename();
					}}
				>
					Rename…
				</DropdownMenu.Item>
				<DropdownMenu.Item className="menu-item menu-plain" onSelect={() => remove(view, filter)}>
					Remove
				</DropdownMenu.Item>
			</DropdownMenu.Content>
		</DropdownMenu.Root>
	);
}

interface NameFormProps {
	/** The name it has; `null`: none yet. */
	was: string | null;
	onName: (name: string) => void;
	onCancel: () => void;
}

function NameForm({ was, onName, onCancel }: NameFormProps) {
	const saved = useView(({ preferences }) => preferences.savedFilters);
	const [name, setName] = useState(was ?? '');
	const [tried, setTried] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.select(), []);
	const problem = nameProblem(saved, name, was);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (problem === null) onName(name);
		else setTried(true);
	};
	return (
		<form
			className="chip-form"
			onSubmit={submit}
			onKeyDown={(event) => {
				if (event.key !== 'Escape') return;
				event.preventDefault();
				onCancel();
			}}
		>
			<input
				ref={field}
				className="field chip-name"
				aria-label={was === null ? 'Name of the filter' : `New name of the filter ${was}`}
				aria-invalid={tried && problem !== null}
				placeholder="Name"
				maxLength={NAME_LIMIT}
				value={name}
				onChange={(event) => setName(event.currentTarget.value)}
			/>
			<button type="submit" className="button">
				{was === null ? 'Save' : 'Rename'}
			</button>
			<button type="button" className="button button-bare" onClick={onCancel}>
				Cancel
			</button>
			{tried && problem !== null && (
				<p className="chip-problem" role="alert">
					{problem}
				</p>
			)}
		</form>
	);
}

function remove(view: ViewStore, filter: SavedFilter): void {
	const at = view.getState().preferences.savedFilters.indexOf(filter);
	keep(view, (all) => withoutFilter(all, filter.name));
	offerUndo(view, `Removed the filter “${filter.name}”.`, async () => {
		keep(view, (all) => restoredFilter(all, filter, at));
	});
}

function keep(view: ViewStore, change: (saved: readonly SavedFilter[]) => readonly SavedFilter[]): void {
	view.setState(({ preferences }) => ({
		preferences: { ...preferences, savedFilters: change(preferences.savedFilters) },
	}));
}
