import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_FILE } from '../../config/load.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { formatConfigFile } from '../formatConfigFile.ts'

/** Writes a configuration file with every setting, explained. An existing file stays. */
export const runInit = async ({ show, workingDir }: CommandContext): Promise<void> => {
  const path = join(workingDir, DEFAULT_FILE)
  try {
    await writeFile(path, formatConfigFile(), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new UsageError(`${path} exists already.`, 'Edit it, or move it away to get a new one.')
  }
  show({
    text: `Wrote ${path}: every setting with its default, as comments. Commands run in this folder use it.`,
    value: { path },
  })
}
