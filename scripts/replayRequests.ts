// node --import tsx scripts/replayRequests.ts FILE… [--show N]
// Runs requests to the virtual machine, one a line (see test/support/vmRequests.ts), and compares each result with its `expect`.
// Files may be compressed with gzip. The last line counts.
import { parseArgs } from 'node:util'
import { compareReply, readRequests, VmRequests } from '../test/support/vmRequests.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', default: '10' } },
})
if (positionals.length === 0) {
  console.error('Name at least one file of requests.')
  process.exit(2)
}
const most = Number(values.show)
let passed = 0
let failed = 0
for (const file of positionals) {
  const requests = new VmRequests()
  let line = 0
  for await (const request of readRequests(file)) {
    line++
    let differences: string[]
    try {
      differences = compareReply(requests.run(request), request.expect ?? {})
    } catch (error) {
      differences = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    }
    if (differences.length === 0) passed++
    else if (++failed <= most) console.log(`${file}:${line} ${differences.join('; ')}`)
  }
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
