/** An amount of the smallest unit, written in the large one. Fractions lose the zeros at their end. */
export const splitAmount = (smallest: bigint, decimals: number, maxFraction = decimals) => {
  const sign = smallest < 0n ? '−' : ''
  const digits = (smallest < 0n ? -smallest : smallest).toString().padStart(decimals + 1, '0')
  const whole = groupDigits(digits.slice(0, digits.length - decimals))
  const fraction = digits
    .slice(digits.length - decimals)
    .slice(0, maxFraction)
    .replace(/0+$/, '')
  return { whole: sign + whole, fraction }
}

export const groupDigits = (digits: string | number): string => String(digits).replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** What somebody typed, in the smallest unit; `undefined` where it is no amount. */
export const findAmount = (text: string, decimals = 9): bigint | undefined => {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:[.,](\d*))?$/.exec(text.replaceAll(/[\s_]/g, '')) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** How far the clock of the reader is from UTC. */
const formatZone = (date: Date): string => {
  const ahead = -date.getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  if (ahead === 0) return 'UTC'
  return `UTC${ahead < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${pad(minutes)}`}`
}

/** Day and time of day where the reader is, with the zone. */
export const formatTime = (utime: number): string => {
  const date = new Date(1000 * utime)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())} ${formatZone(date)}`
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
