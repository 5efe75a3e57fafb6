/** One of a few, side by side: a switch of what is shown. Arrow keys move in it. */
import { ToggleGroup } from 'radix-ui';
import './segments.css';

interface SegmentsProps<Value extends string> {
	label: string;
	value: Value;
	options: readonly { readonly value: Value; readonly words: string }[];
	onChange: (value: Value) => void;
	testId?: string;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>) {
	const { label, value, options, onChange, testId } = props;
	return (
		<ToggleGroup.Root
			type="single"
			className="segments"
			aria-label={label}
			data-testid={testId}
			value={value}
			onValueChange={(chosen) => {
				// Pressing the chosen one again chooses nothing: it stays.
				const option = options.find((one) => one.value === chosen);
				if (option !== undefined) onChange(option.value);
			}}
		>
			{options.map((option) => (
				<ToggleGroup.Item key={option.value} className="segment" value={option.value}>
					{option.words}
				</ToggleGroup.Item>
			))}
		</ToggleGroup.Root>
	);
}
