/** Stands for a token: its pictures are elsewhere, and nothing is loaded from there. */
export const Monogram = ({ raw, text }: { readonly raw: string; readonly text: string }) => {
  const hue = Math.round((Number.parseInt(raw.slice(raw.indexOf(':') + 1).slice(0, 4), 16) / 65_536) * 360)
  return (
    <svg class="monogram" width="34" height="34" viewBox="0 0 34 34" aria-hidden="true">
      <circle class="monogram-ground" cx="17" cy="17" r="17" fill={`hsl(${hue} 60% 50%)`} />
      <text x="17" y="21.5" text-anchor="middle" fill={`hsl(${hue} 58% 56%)`}>
        {[...text].slice(0, 3).join('').toUpperCase()}
      </text>
    </svg>
  )
}
