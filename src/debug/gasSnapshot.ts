/** Gas of runs by what was run, such as `jetton_wallet transfer`: to be kept in a file and compared with. */
export type GasSnapshot = Readonly<Record<string, GasEntry>>

export type GasEntry = { readonly min: number; readonly max: number; readonly mean: number; readonly runs: number }

export type GasSample = { readonly key: string; readonly gas: number }

export const takeGasSnapshot = (samples: Iterable<GasSample>): GasSnapshot => {
  const sums = new Map<string, { min: number; max: number; sum: number; runs: number }>()
  for (const { key, gas } of samples) {
    const entry = sums.get(key)
    if (entry === undefined) sums.set(key, { min: gas, max: gas, sum: gas, runs: 1 })
    else {
      entry.min = Math.min(entry.min, gas)
      entry.max = Math.max(entry.max, gas)
      entry.sum += gas
      entry.runs++
    }
  }
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([key, { min, max, sum, runs }]) => [key, { min, max, mean: Math.round(sum / runs), runs }]),
  )
}

export type GasDifference = {
  readonly key: string
  /** Mean gas; absent where there is no such run on that side. */
  readonly base: number | undefined
  readonly now: number | undefined
  readonly difference: number
  /** Of the base, in per cent. */
  readonly percent: number
  /** Whether it is beyond the tolerance. A run that is gone is not; a new one is not either. */
  readonly fails: boolean
}

/** Compares two snapshots, the largest differences first. More gas fails beyond `tolerance`, given as a share: 0.01 is 1%. */
export const compareGas = (base: GasSnapshot, now: GasSnapshot, tolerance = 0): GasDifference[] => {
  const keys = new Set([...Object.keys(base), ...Object.keys(now)])
  return [...keys]
    .map((key) => {
      const before = base[key]?.mean
      const after = now[key]?.mean
      const difference = before === undefined || after === undefined ? 0 : after - before
      const share = before === undefined || before === 0 ? 0 : difference / before
      return { key, base: before, now: after, difference, percent: 100 * share, fails: share > tolerance }
    })
    .sort((a, b) => b.percent - a.percent || (a.key < b.key ? -1 : 1))
}

/** `1%`, `0.5%` or a share such as `0.01`; `undefined` for anything else. */
export const parseTolerance = (text: string): number | undefined => {
  const { number, percent } = /^(?<number>\d+(?:\.\d+)?)(?<percent>%)?$/.exec(text.trim())?.groups ?? {}
  if (number === undefined) return undefined
  return percent === undefined ? Number(number) : Number(number) / 100
}

export const formatGasDifferences = (differences: readonly GasDifference[]): string =>
  differences
    .map(({ key, base, now, difference, percent, fails }) => {
      if (base === undefined) return `+ ${key}  ${now}`
      if (now === undefined) return `- ${key}  ${base}`
      const sign = difference > 0 ? '+' : ''
      return `${fails ? '!' : ' '} ${key}  ${base} → ${now}  ${sign}${difference} (${sign}${percent.toFixed(2)}%)`
    })
    .join('\n')
