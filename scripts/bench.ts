// npm run bench            lists the benches
// npm run bench -- <name>  runs src/**/<name>.bench.ts (or test/**), which exports `run`: it prints its tables and returns figures;
//                          what comes after the name is given to it. It runs compiled, as the package does
import { basename, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { roundFigure } from '../test/support/formatTable.ts'
import { listFiles } from './listFiles.ts'
import { runCompiled } from './runCompiled.ts'

type Figures = Readonly<Record<string, number | string | boolean>>
type Bench = { readonly run: (args: readonly string[]) => Figures | Promise<Figures> }

const args = process.argv.slice(2)
const givenRoot = args[0] === '--root' ? args.splice(0, 2)[1] : undefined
const root = resolve(givenRoot ?? join(import.meta.dirname, '..'))
const extension = extname(import.meta.filename)
const suffix = `.bench${extension}`
const benches = listFiles(root, ['src', 'test'], [suffix]).map((file) => ({ name: basename(file, suffix), file }))
const [wanted, ...rest] = args
const chosen = benches.filter(({ name }) => name === wanted)

const list = benches.map(({ name, file }) => `  ${name.padEnd(16)} ${file}`).join('\n')

if (wanted === undefined) {
  console.log(benches.length === 0 ? 'There are no benches yet.' : `Benches (npm run bench -- <name>):\n${list}`)
} else if (chosen.length !== 1 || chosen[0] === undefined) {
  console.error(
    `${chosen.length === 0 ? 'No bench is' : 'Several benches are'} called ${wanted}. The benches:\n${list}`,
  )
  process.exitCode = 2
} else if (extension === '.ts' && givenRoot === undefined) {
  process.exitCode = await runCompiled(root, 'bench', args, { nodeArguments: ['--expose-gc'] })
} else {
  const { run } = (await import(pathToFileURL(join(root, chosen[0].file)).href)) as Bench
  const figures = Object.entries(await run(rest)).map(([key, value]) => [
    key,
    typeof value === 'number' ? roundFigure(value) : value,
  ])
  console.log(JSON.stringify({ bench: wanted, ...Object.fromEntries(figures) }))
}
