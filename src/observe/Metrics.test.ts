import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from './Metrics.ts'

test('numbers are printed as Prometheus reads them', () => {
  const metrics = new Metrics()
  const blocks = metrics.counter('blocks_total', 'Blocks.')
  const lag = metrics.gauge('lag_seconds', 'Lag.')
  const times = metrics.histogram('stage_seconds', 'Time in a stage.', [0.1, 1])
  blocks.add()
  blocks.add(2)
  blocks.add(1, { workchain: '0' })
  lag.set(3)
  lag.set(1.5)
  for (const value of [0.05, 0.1, 0.7, 5]) times.observe(value, { stage: 'a"b\\\n' })
  assert.equal(
    metrics.format(),
    [
      '# HELP blocks_total Blocks.',
      '# TYPE blocks_total counter',
      'blocks_total 3',
      'blocks_total{workchain="0"} 1',
      '# HELP lag_seconds Lag.',
      '# TYPE lag_seconds gauge',
      'lag_seconds 1.5',
      '# HELP stage_seconds Time in a stage.',
      '# TYPE stage_seconds histogram',
      'stage_seconds_bucket{stage="a\\"b\\\\\\n",le="0.1"} 2',
      'stage_seconds_bucket{stage="a\\"b\\\\\\n",le="1"} 3',
      'stage_seconds_bucket{stage="a\\"b\\\\\\n",le="+Inf"} 4',
      'stage_seconds_sum{stage="a\\"b\\\\\\n"} 5.85',
      'stage_seconds_count{stage="a\\"b\\\\\\n"} 4',
      '',
    ].join('\n'),
  )
  assert.throws(() => metrics.gauge('lag_seconds', 'Again.'), TypeError)
})
