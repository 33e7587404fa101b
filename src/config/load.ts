import { join } from 'node:path'
import { type Flags, parseFlags } from './parseFlags.ts'
import { findConfigFile, readConfigFile } from './readConfigFile.ts'
import { resolveSettings } from './resolveSettings.ts'
import { type Config, settings } from './settings.ts'

export type LoadOptions = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDir: string
}

/** The configuration of this run, frozen, and the words of the command line that are not flags. */
export const loadConfig = async ({
  args,
  env,
  workingDir,
}: LoadOptions): Promise<{ config: Config; words: Flags['words'] }> => {
  const { texts, words } = parseFlags(args, settings)
  const { config: path } = resolveSettings({ config: settings.config }, { flags: texts, env, file: undefined })
  const file = path === undefined ? await findConfigFile(join(workingDir, DEFAULT_FILE)) : await readConfigFile(path)
  return { config: resolveSettings(settings, { flags: texts, env, file }), words }
}

const DEFAULT_FILE = 'chaincenter.json'
