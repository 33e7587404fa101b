// npm run clients [-- --only <library>] [-- --check] [-- --folder <folder>]
// Runs client libraries of the ecosystem against the embedded network and the service, and writes docs/clients.md from what it saw.
// Those of node_modules run through their tests; the others are installed from their registries into a temporary folder, where Go,
// Python or Java are at hand, and so are the snippets of the API reference. What could not be run keeps its row, and is said at the
// end. --check writes nothing and fails where the page would change. --folder keeps what was installed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openClientStage } from './clients/clientStage.ts'
import { type Check, type ClientRun, PAGE, readPage, readRuns, writeRuns } from './clients/matrixPage.ts'
import { runScriptClient } from './clients/runScriptClient.ts'
import { runSnippets } from './clients/runSnippets.ts'
import { scriptClients } from './clients/scriptClients.ts'
import { runTestedClients, testedClients } from './clients/testedClients.ts'

const SNIPPETS = 'snippets'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    check: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
})
const isChosen = ({ library }: { readonly library: string }): boolean => values.only?.includes(library) ?? true
const known = new Set([...testedClients, ...scriptClients, { library: SNIPPETS }].map(({ library }) => library))
const unknown = values.only?.find((name) => !known.has(name))
if (unknown !== undefined) {
  console.error(`There is no client ${unknown}. The clients: ${[...known].join(', ')}.`)
  process.exit(2)
}

const folder = resolve(values.folder ?? mkdtempSync(join(tmpdir(), 'chaincenter-clients-')))
const expected = new Set(scriptClients.flatMap(({ failures = {} }) => Object.values(failures)))
const notRun: string[] = []
const runs: ClientRun[] = []
let unexpected = 0

const report = (title: string, checks: readonly Check[]): void => {
  const failed = checks.filter(({ reason }) => reason !== undefined)
  console.log(`${title}: ${checks.length - failed.length} of ${checks.length} passed`)
  for (const { name, reason } of failed) console.log(`  fails: ${name}\n    ${reason}`)
  unexpected += failed.filter(({ reason }) => !expected.has(reason!)).length
}

const add = (run: ClientRun): void => {
  runs.push(run)
  report(`${run.library} ${run.version}`, run.checks)
}

const runPrograms = async (): Promise<void> => {
  const stage = await openClientStage(join(folder, 'network'))
  try {
    for (const client of scriptClients.filter(isChosen)) {
      const run = await runScriptClient(client, stage, folder)
      if (typeof run === 'string') notRun.push(`${client.library} ${client.version}: ${run}`)
      else add(run)
    }
    if (!isChosen({ library: SNIPPETS })) return
    for (const { language, checks } of await runSnippets(stage.network.url!, join(folder, SNIPPETS))) {
      const title = `snippets of the API reference in ${language}`
      if (typeof checks === 'string') notRun.push(`${title}: ${checks}`)
      else report(title, checks)
    }
  } finally {
    await stage.close()
  }
}

for (const run of await runTestedClients(testedClients.filter(isChosen))) add(run)
if ([...scriptClients, { library: SNIPPETS }].some(isChosen)) await runPrograms()
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })

const page = readPage()
const before = readRuns(page)
const rows = [...testedClients, ...scriptClients].flatMap((client) => {
  const isIts = ({ library, version }: ClientRun): boolean =>
    library === client.library && (!('version' in client) || version === client.version)
  return runs.find(isIts) ?? before.find(isIts) ?? []
})
const written = writeRuns(page, rows)
if (!values.check) writeFileSync(join(import.meta.dirname, '..', PAGE), written)
else if (written !== page) console.log(`\n${PAGE} does not tell what this run saw: npm run clients writes it.`)
for (const reason of notRun) console.log(`\nNOT RUN: ${reason}`)
console.log(`\n${runs.length} libraries run, ${notRun.length} not run, ${unexpected} failures without a known reason`)
process.exitCode = unexpected > 0 || (values.check && written !== page) ? 1 : 0
