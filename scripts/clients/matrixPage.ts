import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../test/support/childScript.ts'

/** One thing that was tried with a library. */
export type Check = {
  readonly name: string
  /** Why it fails; `undefined` if it passed. */
  readonly reason?: string | undefined
}

/** What a library did against the service. */
export type ClientRun = {
  readonly library: string
  readonly version: string
  /** The interfaces that it uses. */
  readonly speaks: string
  /** The command that runs it. */
  readonly runBy: string
  readonly checks: readonly Check[]
}

export const PAGE = 'docs/clients.md'
export const BY_TESTS = 'npm test'
export const BY_SCRIPT = 'npm run clients'

const BEGIN = '<!-- Written by scripts/clientMatrix.ts from here on. -->\n'
const PASSED = '- '
const FAILED = '- **fails:** '

/** The page with these runs instead of those it had. */
export const writeRuns = (page: string, runs: readonly ClientRun[]): string => {
  const [before] = splitPage(page)
  const rows = runs.map((run) => {
    const passed = run.checks.filter(({ reason }) => reason === undefined).length
    const cells = [
      `\`${run.library}\``,
      run.version,
      run.speaks,
      `\`${run.runBy}\``,
      `${passed} of ${run.checks.length}`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  const table = ['| library | version | uses | run by | passed |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
  const sections = runs.map(({ library, version, checks }) =>
    [`### ${library} ${version}`, checks.map(formatCheck).join('\n')].join('\n\n'),
  )
  return `${before}${BEGIN}\n${[table, '## What was run', ...sections].join('\n\n')}\n`
}

const formatCheck = ({ name, reason }: Check): string =>
  reason === undefined ? `${PASSED}${name}` : `${FAILED}${name}. ${reason}`

/** The runs that the page tells of. */
export const readRuns = (page: string): ClientRun[] => {
  const [, written] = splitPage(page)
  const rows = [...written.matchAll(/^\| `(.+)` \| (.+) \| (.+) \| `(.+)` \| \d+ of \d+ \|$/gm)]
  return rows.map(([, library = '', version = '', speaks = '', runBy = '']) => {
    const [, section = ''] = written.split(`### ${library} ${version}\n`)
    const lines = section
      .split('\n### ')[0]!
      .split('\n')
      .filter((line) => line.startsWith(PASSED))
    return { library, version, speaks, runBy, checks: lines.map(parseCheck) }
  })
}

const parseCheck = (line: string): Check => {
  if (!line.startsWith(FAILED)) return { name: line.slice(PASSED.length) }
  const [name = '', ...reason] = line.slice(FAILED.length).split('. ')
  return { name, reason: reason.join('. ') }
}

const splitPage = (page: string): [before: string, written: string] => {
  const [before, written] = page.split(BEGIN)
  if (before === undefined || written === undefined) throw new Error(`${PAGE} has no line ${BEGIN}`)
  return [before, written]
}

export const readPage = (): string => readFileSync(join(repository, PAGE), 'utf8')
