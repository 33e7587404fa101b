// Checks that what the pages name exists: files and folders in backticks, links with their anchors, npm scripts, and every table of the
// schema in docs/data-model.md. --root <folder> checks another tree.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles } from './listFiles.ts'

const { values } = parseArgs({ options: { root: { type: 'string' } } })
const root = resolve(values.root ?? join(import.meta.dirname, '..'))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const exists = (path: string): boolean => existsSync(join(root, path))

/** The changelog names files as they were. */
const pages = [...readdirSync(root), ...listFiles(root, ['docs', '.github'], ['.md'])].filter(
  (path) => path.endsWith('.md') && path !== 'CHANGELOG.md',
)
const { scripts = {} } = JSON.parse(read('package.json')) as { scripts?: Record<string, string> }

/** A page as lines; code blocks are kept, since they name files, too. */
const findIn = (path: string): string[] =>
  read(path)
    .split('\n')
    .flatMap((line, index) =>
      [...findMissingFiles(line), ...findBrokenLinks(path, line), ...findMissingScripts(line)].map(
        (problem) => `${path}:${index + 1} ${problem}`,
      ),
    )

const findMissingFiles = (line: string): string[] =>
  [...line.matchAll(/(?<![\w./-])(src|test|scripts|deploy|docs|bin|\.ci|\.github)\/[\w./-]*[\w/]/g)]
    // A pattern such as `scripts/gen*.ts` or a file in the data folder is not a path of the repository.
    .filter(({ 0: path, index }) => !/[*<{…]/.test(line[index + path.length] ?? ''))
    .map(([path]) => path)
    .filter((path) => !exists(path))
    .map((path) => `names ${path}, which does not exist`)

const findBrokenLinks = (page: string, line: string): string[] =>
  [...line.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, file, anchor]) => {
    const target = file === '' ? page : posix.join(dirname(page), file!)
    if (!exists(target)) return [`links to ${target}, which does not exist`]
    if (anchor === undefined || headingsOf(target).includes(anchor)) return []
    return [`links to ${target}#${anchor}, and there is no such heading`]
  })

const headingsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const findMissingScripts = (line: string): string[] =>
  [...line.matchAll(/npm run ([a-z][\w:-]*)/g)]
    .filter(([, name]) => scripts[name!] === undefined)
    .map(([, name]) => `names npm run ${name}, which is not in package.json`)

const findMissingTables = (): string[] => {
  if (!exists('src/store/schema.sql')) return []
  const page = read('docs/data-model.md')
  return [...read('src/store/schema.sql').matchAll(/^CREATE TABLE (\w+)/gm)]
    .filter(([, table]) => !page.includes(`\`${table}\``))
    .map(([, table]) => `docs/data-model.md does not describe the table ${table}`)
}

const problems = [...pages.flatMap(findIn), ...findMissingTables()]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
