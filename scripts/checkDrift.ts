// Every generated file must be what its generator writes today. A generator is a scripts/gen*.ts that, called with
// --check, compares instead of writing and fails where something differs; adding such a file is all it takes.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { listFiles } from './listFiles.ts'

const root = join(import.meta.dirname, '..')
const generators = listFiles(root, ['scripts'], ['.ts']).filter((file) => /^scripts\/gen[A-Z]\w*\.ts$/.test(file))

for (const generator of generators) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', generator, '--check'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status === 0) continue
  console.error(`To renew it: node --import tsx ${generator}`)
  process.exitCode = 1
}
