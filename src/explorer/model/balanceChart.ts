/** The balance of an account after a transaction. */
export type BalancePoint = { readonly utime: number; readonly balance: bigint }

export type BalanceChart = {
  readonly low: bigint
  readonly high: bigint
  readonly first: number
  readonly last: number
  /** In units of the width and height. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** Steps: a balance stays until the next transaction. */
  readonly line: string
  readonly area: string
}

/** Larger than a fraction of a pixel, and exact in a number. */
const PARTS = 1_000_000n

/** Places of points in a picture. The vertical axis begins at zero unless all balances are far above it. */
export const drawBalances = (points: readonly BalancePoint[], width: number, height: number): BalanceChart => {
  const balances = points.map(({ balance }) => balance)
  const high = balances.reduce((most, each) => (each > most ? each : most))
  const least = balances.reduce((least, each) => (each < least ? each : least))
  const low = 2n * (high - least) < high ? least : 0n
  const [first, last] = [points[0]!.utime, points.at(-1)!.utime]
  const places = points.map(({ utime, balance }) => ({
    x: last === first ? width / 2 : round(((utime - first) / (last - first)) * width),
    y:
      high === low
        ? height / 2
        : round(height - (Number(((balance - low) * PARTS) / (high - low)) / Number(PARTS)) * height),
  }))
  const steps = places.map(({ x, y }, k) => (k === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join('')
  const line = places.length === 1 ? `M0 ${places[0]!.y}H${width}` : steps
  const area = places.length === 1 ? `${line}V${height}H0z` : `${line}V${height}H${places[0]!.x}z`
  return { low, high, first, last, points: places, line, area }
}

const round = (value: number): number => Math.round(10 * value) / 10

/** The point nearest to a place. */
export const findNearest = (points: readonly { readonly x: number }[], x: number): number =>
  points.reduce((best, point, k) => (Math.abs(point.x - x) < Math.abs(points[best]!.x - x) ? k : best), 0)
