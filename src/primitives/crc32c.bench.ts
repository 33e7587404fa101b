import { crc32c as coreCrc32c } from '@ton/core'
import { formatTable } from '../../test/support/formatTable.ts'
import { measure } from '../../test/support/measure.ts'
import { crc32c } from './crc.ts'

// As long as a large block.
const bytes = Uint8Array.from({ length: 512 * 1024 }, (_, i) => (i * 7) ^ (i >>> 8))

export const run = (): Record<string, number> => {
  const copy = Buffer.from(bytes)
  const timings = measure({ ours: () => crc32c(bytes), core: () => coreCrc32c(copy) })
  const mbPerCpuSecond = (cpuMs: number): number => Math.round(bytes.length / 1e3 / cpuMs)
  const figures = { ours: mbPerCpuSecond(timings.ours.cpuMs), core: mbPerCpuSecond(timings.core.cpuMs) }
  console.log(formatTable(Object.entries(figures).map(([rival, rate]) => ({ rival, 'MB per cpu-s': rate }))))
  return figures
}
