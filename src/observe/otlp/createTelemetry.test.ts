import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startOtlpReceiver } from '../../../test/support/otlpReceiver.ts'
import { createLogger } from '../Logger.ts'
import { Metrics } from '../Metrics.ts'
import { runChildSpan, runSpan } from '../Tracer.ts'
import { createTelemetry } from './createTelemetry.ts'

const silentLogger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const start = { sampled: 1, trustsCallers: false, version: '1.2.3' }

test('spans keep their parents over awaits, and metrics their values', async (t) => {
  const receiver = await startOtlpReceiver()
  t.after(() => receiver.close())
  const telemetry = await createTelemetry({ ...start, endpoint: receiver.url }, silentLogger)
  const { tracer } = telemetry
  const metrics = new Metrics()
  metrics.counter('some_total', 'Some.').add(3, { kind: 'a' })
  metrics.gauge('level', 'A level.').set(-1.5)
  const seconds = metrics.histogram('some_seconds', 'Durations.', [0.1, 1])
  for (const value of [0.05, 0.5, 0.6, 7]) seconds.observe(value)
  telemetry.exportMetrics(() => metrics.read())

  let late: Promise<void> | undefined
  const remote = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  await runSpan(tracer, 'outer', { parent: remote, kind: 'server' }, async () => {
    await delay(1)
    await Promise.all(
      ['a', 'b'].map((name) => runChildSpan(tracer, name, { attributes: { name } }, async () => delay(2))),
    )
    await assert.rejects(runChildSpan(tracer, 'failed', {}, () => Promise.reject(new RangeError('no'))))
    late = delay(20).then(() => runChildSpan(tracer, 'late', {}, async () => undefined))
  })
  await late
  await runChildSpan(tracer, 'of nothing', {}, async () => undefined)
  for (const parent of ['nonsense', `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`, null]) {
    const span = tracer.start('root', { parent })
    span.end()
    span.end()
  }
  await telemetry.close()

  const outer = receiver.spans.find(({ name }) => name === 'outer')!
  assert.deepEqual([outer.traceId, outer.parentSpanId, outer.kind], ['ab'.repeat(16), 'cd'.repeat(8), 2])
  const children = receiver.spans.filter(({ parentSpanId }) => parentSpanId === outer.spanId)
  assert.deepEqual(children.map(({ name }) => name).sort(), ['a', 'b', 'failed'])
  const failed = children.find(({ name }) => name === 'failed')!
  assert.deepEqual([failed.attributes['error.type'], failed.status?.code], ['RangeError', 2])
  // What outlives a request is no part of it, and what is of no request is not traced.
  assert.equal(
    receiver.spans.some(({ name }) => name === 'late' || name === 'of nothing'),
    false,
  )
  const roots = receiver.spans.filter(({ name }) => name === 'root')
  assert.equal(new Set(roots.map(({ traceId }) => traceId)).size, 3)
  assert.ok(roots.every(({ parentSpanId }) => !parentSpanId))

  const point = (name: string, kind: 'sum' | 'gauge' | 'histogram') =>
    (receiver.metrics.find((metric) => metric.name === name)![kind] as { dataPoints: Record<string, unknown>[] })
      .dataPoints[0]!
  const counted = point('some_total', 'sum')
  assert.deepEqual([counted['asDouble'], counted['attributes']], [3, [{ key: 'kind', value: { stringValue: 'a' } }]])
  assert.equal(point('level', 'gauge')['asDouble'], -1.5)
  const { bucketCounts, explicitBounds, count, sum } = point('some_seconds', 'histogram')
  assert.deepEqual([bucketCounts, explicitBounds, count, sum], [[1, 2, 1], [0.1, 1], 4, 8.15])
})

test('a sampled share is traced as a whole, and a collector that is gone is logged once', async () => {
  const receiver = await startOtlpReceiver()
  await receiver.close()
  const warnings: string[] = []
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) }
  const telemetry = await createTelemetry({ ...start, endpoint: receiver.url, sampled: 0 }, logger)
  const { tracer } = telemetry
  // Not sampled, so its parts in another process are not either.
  const span = tracer.start('unseen')
  assert.match(span.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  const sampled = tracer.start('seen', { parent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` })
  assert.match(sampled.traceparent, /-01$/)
  sampled.end()
  telemetry.exportMetrics(() => new Metrics().read())
  const begun = performance.now()
  await telemetry.close()
  assert.ok(performance.now() - begun < 10_000)
  assert.ok(warnings.length <= 1, String(warnings))
})
