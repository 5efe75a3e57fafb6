/** A share of 0 to 1 as a bar. The number beside it says the same, so it is not announced. */
import './share-bar.css';

const WIDTH = 64;

export function ShareBar({ share, width = WIDTH }: { share: number; width?: number }) {
	const filled = Math.max(0, Math.min(1, share)) * width;
	return (
		<svg className="share-bar" width={width} height="6" viewBox={`0 0 ${width} 6`} aria-hidden="true">
			<rect className="share-rail" x="0" y="2" width={width} height="2" />
			<rect x="0" y="1" width={filled} height="4" />
		</svg>
	);
}
