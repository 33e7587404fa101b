import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BodyDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { LayoutError } from '../../contracts/layouts/definitions.ts'
import { parseLayoutFile } from '../../contracts/layouts/parseLayoutFile.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'

/** What bodies mean, with the layouts of the settings. */
export const openDecoder = ({ config, workingDir }: Pick<CommandContext, 'config' | 'workingDir'>): BodyDecoder => {
  if (config.layouts === undefined) return createBodyDecoder()
  const path = resolve(workingDir, config.layouts)
  try {
    return createBodyDecoder(parseLayoutFile(readFileSync(path, 'utf8')))
  } catch (error) {
    if (!(error instanceof LayoutError) && !isFileError(error)) throw error
    throw new UsageError(
      `The layouts in ${path} cannot be used: ${error.message}`,
      'See docs/message-layouts.md for how they are written.',
    )
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error
