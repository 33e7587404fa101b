// npm run stats [-- --ref COMMIT] [-- --names]
// Sizes of the files under src, without tests and benches. --ref prints the same for another commit beside it, and how the exported names
// differ; --names lists those names. The last line is one JSON object about the working tree.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../test/support/formatTable.ts'
import { listFiles } from './listFiles.ts'
import { readCommit } from './stats/readCommit.ts'
import { compareNames, type Source, type Stats, summarize } from './stats/summarize.ts'

const { values } = parseArgs({
  options: { ref: { type: 'string' }, names: { type: 'boolean' }, root: { type: 'string' } },
})
const root = resolve(values.root ?? join(import.meta.dirname, '..'))

const readTree = (): Source[] =>
  listFiles(root, ['src'], ['.ts', '.tsx']).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const row = (tree: string, stats: Stats): Record<string, string | number> => ({
  tree,
  files: stats.files,
  median: stats.median,
  p95: stats.p95,
  'over 500': stats.long.length,
  lines: stats.lines,
  imports: percent(stats.importShare),
  'exported names': stats.names.size,
})

const toJson = ({ files, median, p95, lines, importShare }: Stats): string =>
  JSON.stringify({ stats: 'src', files, median, p95, lines, import_share: Number(importShare.toFixed(4)) })

const now = summarize(readTree())
const ref = values.ref
const before = ref === undefined ? undefined : summarize(readCommit(root, ref, 'src'))

console.log(formatTable([...(before === undefined ? [] : [row(ref!, before)]), row('working tree', now)]))
console.log(
  `\nFiles over 500 lines that are not generated: ${now.long.map((file) => `${file.path} (${file.lines})`).join(', ') || 'none'}`,
)
if (before !== undefined) {
  const { added, removed, moved } = compareNames(before.names, now.names)
  console.log(
    `\nExported names since ${ref}: ${added.length} added, ${removed.length} removed, ${moved.length} in another file`,
  )
  if (values.names === true) {
    for (const name of removed) console.log(`- ${name}`)
    for (const name of added) console.log(`+ ${name}`)
  }
  console.log(`\n${toJson(before).replace('"src"', JSON.stringify(`src at ${ref}`))}`)
}
console.log(toJson(now))
