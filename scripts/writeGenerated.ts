import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Writes a generated file of the repository. With --check on the command line it only compares and, where the file differs
 * from what would be written, says so and makes the process fail.
 */
export const writeGenerated = (path: string, content: string): void => {
  const target = join(root, path)
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  } else if (readExisting(target) !== content) {
    console.error(`${path} is not what its generator writes. Run the generator and commit the result.`)
    process.exitCode = 1
  }
}

const readExisting = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
