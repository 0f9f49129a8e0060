/** The mark of Mailstead, a house whose front is an envelope, in the colour of the surrounding text. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <g stroke="currentColor" strokeWidth="2.3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M4 13.5 16 4l12 9.5V27a1.5 1.5 0 0 1-1.5 1.5h-21A1.5 1.5 0 0 1 4 27Z" />
        <path d="m4.5 14.5 10.2 7.3a2.2 2.2 0 0 0 2.6 0l10.2-7.3" />
      </g>
    </svg>
  )
}
