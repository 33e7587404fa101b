import { join, relative } from 'node:path'
import { run } from 'node:test'
import { installedVersion, PAGE_CHECK } from '../../test/clients/comparePage.ts'
import { repository } from '../../test/support/childScript.ts'
import { BY_TESTS, type Check, type ClientRun } from './matrixPage.ts'

/** Libraries that are in node_modules: each has a test file, whose first test holds the checks. */
export const testedClients: readonly {
  readonly library: string
  readonly speaks: string
  readonly file: string
}[] = [
  { library: '@ton/ton', speaks: 'v2 (JSON-RPC)', file: 'test/clients/tonClient.test.ts' },
  { library: 'tonweb', speaks: 'v2 (JSON-RPC)', file: 'test/clients/tonweb.test.ts' },
  { library: 'ton-lite-client', speaks: 'liteserver', file: 'test/clients/liteClient.test.ts' },
]

/** Runs the test files of these libraries. This process was started with `--import tsx`, and theirs are, too. */
export const runTestedClients = async (clients: typeof testedClients): Promise<ClientRun[]> => {
  const checks = new Map<string, Check[]>(clients.map(({ file }) => [file, []]))
  const note = (file: string | undefined, nesting: number, name: string, error?: unknown): void => {
    if (file === undefined || nesting > 1 || (nesting === 1 && name === PAGE_CHECK)) return
    const list = checks.get(relative(repository, file))
    // The test itself fails with its checks, or on its own account.
    if (nesting === 0 && (error === undefined || list?.some(({ reason }) => reason !== undefined))) return
    list?.push({ name, reason: error === undefined ? undefined : String(error).replaceAll(/\s+/g, ' ') })
  }
  const stream = run({ files: clients.map(({ file }) => join(repository, file)), concurrency: 1 })
  stream.on('test:pass', ({ file, nesting, name }) => note(file, nesting, name))
  stream.on('test:fail', ({ file, nesting, name, details }) => {
    const isOwn = (details.error as { readonly failureType?: string }).failureType !== 'subtestsFailed'
    if (isOwn) note(file, nesting, name, details.error.cause ?? details.error)
  })
  await new Promise<void>((done, refuse) => {
    stream.on('error', refuse).on('end', done).resume()
  })
  return clients.map(({ library, speaks, file }) => ({
    library,
    version: installedVersion(library),
    speaks,
    runBy: BY_TESTS,
    checks: checks.get(file)!,
  }))
}
