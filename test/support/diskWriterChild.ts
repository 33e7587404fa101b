// Keeps a disk busy in a process of its own: writes 50 MB a second to a file in a folder, and syncs every piece. It tells its parent how
// much it has written.
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const BYTES_PER_SECOND = 50_000_000
const PIECE_MS = 100
const MAX_FILE = 1_000_000_000

const [folder = ''] = process.argv.slice(2)
const path = join(folder, 'busy-disk')
const piece = Buffer.alloc((BYTES_PER_SECOND * PIECE_MS) / 1000, 'x')
const file = openSync(path, 'w')
process.on('disconnect', () => {
  closeSync(file)
  rmSync(path)
  process.exit(0)
})
process.send?.('ready')
const start = performance.now()
let written = 0
for (let next = start; ; next += PIECE_MS) {
  await delay(Math.max(1, next - performance.now()))
  writeSync(file, piece, 0, piece.length, written % MAX_FILE)
  fdatasyncSync(file)
  written += piece.length
  process.send?.({ bytesPerSecond: (1000 * written) / (performance.now() - start) })
}
