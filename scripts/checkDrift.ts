// Every generated file must be what its generator writes today. A generator is a scripts/gen*.ts that, called with
// --check, compares instead of writing and fails where something differs; adding such a file is all it takes.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listFiles } from './listFiles.ts'

const root = join(import.meta.dirname, '..')
const generators = listFiles(root, ['scripts'], ['.ts']).filter((file) => /^scripts\/gen[A-Z]\w*\.ts$/.test(file))

// One process for all of them: most of their time is that of loading the same sources.
process.argv.push('--check')
const stale: string[] = []
for (const generator of generators) {
  process.exitCode = 0
  try {
    await import(pathToFileURL(join(root, generator)).href)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
  if (process.exitCode !== 0) stale.push(generator)
}
for (const generator of stale) console.error(`To renew it: node --import tsx ${generator}`)
process.exitCode = stale.length > 0 ? 1 : 0
