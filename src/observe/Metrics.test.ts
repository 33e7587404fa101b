import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMetrics, joinMetrics, Metrics } from './Metrics.ts'

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

test('numbers may be kept at hand, looked up, begun anew, and put beside those of another process', () => {
  const metrics = new Metrics()
  const requests = metrics.counter('requests_total', 'Requests.')
  const often = requests.of({ path: '/' })
  often.add(2)
  requests.add(1, { path: '/' })
  const times = metrics.histogram('seconds', 'Time.', [1]).of({})
  times.observe(1)
  times.observe(2)
  let queue = 4
  metrics.reading('gauge', 'queue', 'Waiting.', () => [{ value: queue }, { value: 0, labels: { kind: 'slow' } }])
  let part: Metrics | undefined
  metrics.include(() => part)
  for (const blocks of [5, 7]) {
    part = new Metrics()
    part.counter('blocks_total', 'Blocks.').add(blocks)
  }
  queue = 3
  const other = new Metrics()
  other.counter('requests_total', 'Requests.').add(9, { path: '/' })
  const parts = [
    { name: '0', families: structuredClone(metrics.read()) },
    { name: '1', families: other.read() },
  ]
  assert.equal(
    formatMetrics(joinMetrics('worker', parts)),
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{worker="0",path="/"} 3',
      'requests_total{worker="1",path="/"} 9',
      '# HELP seconds Time.',
      '# TYPE seconds histogram',
      'seconds_bucket{worker="0",le="1"} 1',
      'seconds_bucket{worker="0",le="+Inf"} 2',
      'seconds_sum{worker="0"} 3',
      'seconds_count{worker="0"} 2',
      '# HELP queue Waiting.',
      '# TYPE queue gauge',
      'queue{worker="0"} 3',
      'queue{worker="0",kind="slow"} 0',
      '# HELP blocks_total Blocks.',
      '# TYPE blocks_total counter',
      'blocks_total{worker="0"} 7',
      '',
    ].join('\n'),
  )
})
