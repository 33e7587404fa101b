const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** A length of time in its largest whole units, two at most: `18 hours 12 minutes`. */
export const formatSpan = (seconds: number): string => {
  const parts: string[] = []
  let left = Math.round(seconds)
  for (const [size, name] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
    else if (parts.length > 0) break
  }
  return parts.length === 0 ? '0 seconds' : parts.join(' ')
}
