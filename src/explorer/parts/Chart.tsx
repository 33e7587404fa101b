type ChartProps = { readonly values: readonly number[]; readonly label: string }

const WIDTH = 160
const HEIGHT = 36

/** A line over an area: how something went on. */
export const LineChart = ({ values, label }: ChartProps) => {
  const max = Math.max(...values, 0) || 1
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, index) => `${(index * step).toFixed(1)} ${heightOf(value, max)}`)
  const line = points.length < 2 ? '' : `M${points.join('L')}`
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {line !== '' && <path class="chart-area" d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />}
      {line !== '' && <path class="chart-line" d={line} />}
    </svg>
  )
}

/** A bar for each value. */
export const BarChart = ({ values, label }: ChartProps) => {
  const max = Math.max(...values, 0) || 1
  const step = WIDTH / Math.max(1, values.length)
  const bars = values.map((value, index) => {
    const top = heightOf(value, max)
    return `M${(index * step + step * 0.15).toFixed(2)} ${HEIGHT}V${top}h${(step * 0.7).toFixed(2)}V${HEIGHT}z`
  })
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="chart-bars" d={bars.join('')} />
    </svg>
  )
}

const heightOf = (value: number, max: number): string => (HEIGHT - 1.5 - (value / max) * (HEIGHT - 4)).toFixed(1)
