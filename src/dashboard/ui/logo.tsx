/** A post horn, drawn in the colour of the text around it. */
export function Horn({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <g stroke="currentColor" strokeWidth="2.3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M3 11h14.5c4.2 0 7.3-1.7 10.5-5.5v11c-3.2-3.8-6.3-5.5-10.5-5.5" />
        <circle cx="12.8" cy="18.2" r="7.2" />
      </g>
    </svg>
  )
}
