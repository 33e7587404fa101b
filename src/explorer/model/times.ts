const pad = (value: number): string => String(value).padStart(2, '0')

/** Time of day, with the day where it is another one. */
export const formatTime = (utime: number): string => {
  const date = new Date(1000 * utime)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

const steps = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3600, unit: 'h' },
  { seconds: 60, unit: 'min' },
] as const

/** How long ago it was, in one unit. */
export const formatAge = (utime: number, nowMs: number): string => {
  const seconds = Math.round(nowMs / 1000 - utime)
  // Clocks differ, and embedded networks move theirs.
  if (seconds < -2) return `in ${formatDuration(-1000 * seconds)}`
  if (seconds <= 1) return 'just now'
  return seconds < 60 ? `${seconds} s ago` : `${formatDuration(1000 * seconds)} ago`
}

export const formatDuration = (ms: number): string => {
  const seconds = ms / 1000
  const step = steps.find((each) => seconds >= each.seconds)
  if (step !== undefined) return `${Math.floor(seconds / step.seconds)} ${step.unit}`
  return seconds >= 10 ? `${Math.round(seconds)} s` : `${seconds.toFixed(1)} s`
}
