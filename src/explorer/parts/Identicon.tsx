const CELLS = 5

/** A small picture of an address, so that eyes tell accounts apart before they read. */
export const Identicon = ({ raw, size = 16 }: { readonly raw: string; readonly size?: number }) => {
  const hash = raw.slice(raw.indexOf(':') + 1)
  const bytes = hash.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  const hue = Math.round((((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) / 65_536) * 360)
  const squares: string[] = []
  // Mirrored, as faces are.
  for (let index = 0; index < 15; index++) {
    if (((bytes[2 + index] ?? 0) & 1) === 0) continue
    const [column, row] = [index % 3, Math.floor(index / 3)]
    squares.push(square(column, row))
    if (column < 2) squares.push(square(CELLS - 1 - column, row))
  }
  return (
    <svg class="identicon" width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true">
      <rect class="identicon-ground" x="-1" y="-1" width="7" height="7" rx="1.6" fill={`hsl(${hue} 60% 50%)`} />
      <path d={squares.join('')} fill={`hsl(${hue} 52% 48%)`} />
    </svg>
  )
}

const square = (column: number, row: number): string => `M${column} ${row}h1v1h-1z`
