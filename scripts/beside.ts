// npm run beside -- v2     our v2 beside ton-http-api from PyPI, over one embedded network: the same requests in turns
// npm run beside -- v3     our v3 beside the original server of the indexed interface, which must run already: see compareV3.ts
// npm run beside -- tvm    our virtual machine beside the emulator of @ton/sandbox
// All run compiled, count CPU time, and end with one line of JSON.
import { extname, join } from 'node:path'
import { MissingPartError } from '../test/support/beside/originalServer.ts'
import { roundFigure } from '../test/support/formatTable.ts'
import { runCompiled } from './runCompiled.ts'

type Figures = Readonly<Record<string, number | string>>

const comparisons: Readonly<Record<string, (args: readonly string[]) => Promise<Figures>>> = {
  v2: async (args) => (await import('../test/support/beside/compareV2.ts')).compareV2(args),
  v3: async (args) => (await import('../test/support/beside/compareV3.ts')).compareV3(args),
  tvm: async () => (await import('../src/tvm/tvm.bench.ts')).run(),
}

const args = process.argv.slice(2)
const [name = '', ...rest] = args
const compare = comparisons[name]

if (compare === undefined) {
  console.error(`Say beside what: npm run beside -- ${Object.keys(comparisons).join(' | ')}`)
  process.exitCode = 2
} else if (extname(import.meta.filename) === '.ts') {
  process.exitCode = await runCompiled(join(import.meta.dirname, '..'), 'beside', args, {
    nodeArguments: ['--expose-gc'],
  })
} else {
  try {
    const figures = Object.entries(await compare(rest)).map(([key, value]) => [
      key,
      typeof value === 'number' ? roundFigure(value) : value,
    ])
    console.log(JSON.stringify({ beside: name, ...Object.fromEntries(figures) }))
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
