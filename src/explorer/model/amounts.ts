export type ShownAmount = { readonly whole: string; readonly fraction: string }

/** An amount of the smallest unit, written in the large one. Fractions lose the zeros at their end. */
export const splitAmount = (smallest: bigint, decimals: number, maxFraction = decimals): ShownAmount => {
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
