// Has Schemathesis (from PyPI) call a running service by its own OpenAPI documents, v2 and v3 in both dialects, and fails where an answer
// has a status or a shape that the document does not promise, or where the service logs an error.
//   python3 -m venv /tmp/venv && /tmp/venv/bin/pip install schemathesis
//   SCHEMATHESIS=/tmp/venv/bin/schemathesis node --import tsx scripts/checkOpenApi.ts [--examples 30] [--seed 1] [--only /ton/api/v3]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startNetwork } from '../src/cli/dev/startNetwork.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { formatTable } from '../test/support/formatTable.ts'
import { parseMetrics } from '../test/support/parseMetrics.ts'
import { untilIndexed } from '../test/support/untilIndexed.ts'

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const program = process.env['SCHEMATHESIS'] ?? 'schemathesis'
const prefixes = ['/api/v2', '/ton/api/v2', '/api/v3', '/ton/api/v3'].filter(
  (prefix) => values.only === undefined || values.only === prefix,
)
const BLOCKS = 20

/** Statuses that v2 answers with where the chain says no, and v3 where it passed a request on to v2. */
const chainStatuses = new Set(['500', '533', '542'])

const folder = await mkdtemp(join(tmpdir(), 'chaincenter-openapi-'))
const errors: string[] = []
const write = (line: string): void => {
  if ((JSON.parse(line) as { level: string }).level === 'error') errors.push(line)
}
const logger = createLogger({ level: 'error', format: 'json', colours: false, write })
const network = await startNetwork({ folder, http: {}, index: {}, demo: true, logger })
let failed = 0
try {
  const url = network.url!
  await network.indexed
  await untilIndexed(`${url}/api/v3`, BLOCKS)
  // Until the first block is indexed, v3 says so with a status of 500.
  const before = await countServerErrors(url)
  for (const prefix of prefixes) {
    const code = await run(`${url}${prefix}/openapi.json`, url)
    console.log(`${prefix}: ${code === 0 ? 'as described' : `not as described (exit code ${code})`}`)
    if (code !== 0) failed++
  }
  failed += reportServerErrors(before, await countServerErrors(url))
  for (const line of errors) console.log(line)
  failed += errors.length
  console.log(`${prefixes.length} documents, ${failed} failures`)
} finally {
  await network.close()
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

async function run(document: string, base: string): Promise<number> {
  const checks = 'status_code_conformance,content_type_conformance,response_schema_conformance'
  const args = ['run', document, '-u', base, '--checks', checks, '--phases', 'examples,coverage,fuzzing']
  const bounds = ['-n', values.examples, '--seed', values.seed, '--continue-on-failure', '--no-color']
  // It comes before the parameter x_timeout, with which any answer can be made to come too late.
  const patience = ['-H', 'X-Timeout: 3000']
  const child = spawn(program, [...args, ...bounds, ...patience], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

type ServerErrors = ReadonlyMap<string, number>

/** Statuses from 500 on, by interface, endpoint and status, from the metrics of the service. */
async function countServerErrors(url: string): Promise<ServerErrors> {
  const { samples } = parseMetrics(await (await fetch(`${url}/metrics`)).text())
  const counts = new Map<string, number>()
  for (const { name, labels, value } of samples) {
    if (name !== 'chaincenter_http_requests_total' || Number(labels['status']) < 500) continue
    const key = `${labels['interface']} ${labels['endpoint']} ${labels['status']}`
    counts.set(key, (counts.get(key) ?? 0) + value)
  }
  return counts
}

/** Shows those that came since. What is no answer of the chain counts as a failure. */
function reportServerErrors(before: ServerErrors, after: ServerErrors): number {
  const rows = [...after].flatMap(([key, value]) => {
    const count = value - (before.get(key) ?? 0)
    const [api = '', endpoint = '', status = ''] = key.split(' ')
    const expected = isOfChain(api, endpoint, status) ? 'yes' : 'NO'
    return count === 0 ? [] : [{ interface: api, endpoint, status, count, expected }]
  })
  if (rows.length > 0) console.log(formatTable(rows))
  return rows.filter(({ expected }) => expected === 'NO').length
}

function isOfChain(api: string, endpoint: string, status: string): boolean {
  const passedOn = [
    'addressInformation',
    'account',
    'walletInformation',
    'wallet',
    'message',
    'estimateFee',
    'runGetMethod',
  ]
  return (api.endsWith('/v2') || passedOn.includes(endpoint)) && chainStatuses.has(status)
}
