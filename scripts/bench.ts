// npm run bench            lists the benches
// npm run bench -- <name>  runs src/**/<name>.bench.ts (or test/**), which exports `run`: it prints its tables and returns figures
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { roundFigure } from '../test/support/formatTable.ts'
import { listFiles } from './listFiles.ts'

type Figures = Readonly<Record<string, number | string | boolean>>
type Bench = { readonly run: () => Figures | Promise<Figures> }

const args = parseArgs({ allowPositionals: true, options: { root: { type: 'string' } } })
const root = resolve(args.values.root ?? join(import.meta.dirname, '..'))
const benches = listFiles(root, ['src', 'test'], ['.bench.ts']).map((file) => ({
  name: basename(file, '.bench.ts'),
  file,
}))
const [wanted] = args.positionals
const chosen = benches.filter(({ name }) => name === wanted)

const list = benches.map(({ name, file }) => `  ${name.padEnd(16)} ${file}`).join('\n')

if (wanted === undefined) {
  console.log(benches.length === 0 ? 'There are no benches yet.' : `Benches (npm run bench -- <name>):\n${list}`)
} else if (chosen.length !== 1 || chosen[0] === undefined) {
  console.error(
    `${chosen.length === 0 ? 'No bench is' : 'Several benches are'} called ${wanted}. The benches:\n${list}`,
  )
  process.exitCode = 2
} else {
  const { run } = (await import(pathToFileURL(join(root, chosen[0].file)).href)) as Bench
  const figures = Object.entries(await run()).map(([key, value]) => [
    key,
    typeof value === 'number' ? roundFigure(value) : value,
  ])
  console.log(JSON.stringify({ bench: wanted, ...Object.fromEntries(figures) }))
}
