import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from '../../observe/Metrics.ts'

const RESOLUTION_MS = 20
const NS = 1e9

/** What the process itself takes, all its threads together. */
export const measureProcess = (metrics: Metrics, version: string): { close(): void } => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  metrics.reading('gauge', 'chaincenter_build_info', 'Always 1; the label has the version.', () => [
    { value: 1, labels: { version, node: process.version } },
  ])
  metrics.reading('gauge', 'process_start_time_seconds', 'When the process was started.', () => [{ value: startedAt }])
  metrics.reading('counter', 'process_cpu_seconds_total', 'Time of processors that was used.', () => {
    const { user, system } = process.cpuUsage()
    return [{ value: (user + system) / 1e6 }]
  })
  metrics.reading('gauge', 'process_resident_memory_bytes', 'Memory that the process holds.', () => [
    { value: process.memoryUsage.rss() },
  ])
  metrics.reading('gauge', 'nodejs_heap_used_bytes', 'What of it objects of the main thread take.', () => [
    { value: process.memoryUsage().heapUsed },
  ])
  const help = 'How much later than it should the main thread gets to work, since it was last asked.'
  metrics.reading('gauge', 'nodejs_eventloop_delay_seconds', help, () => {
    const late = (ns: number): number => Math.max(0, ns / NS - RESOLUTION_MS / 1000)
    const readings = [0.5, 0.99, 1].map((quantile) => ({
      value: delay.count === 0 ? 0 : late(delay.percentile(100 * quantile)),
      labels: { quantile: String(quantile) },
    }))
    delay.reset()
    return readings
  })
  return { close: () => delay.disable() }
}
