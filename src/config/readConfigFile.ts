import { readFile } from 'node:fs/promises'
import { ConfigFileError } from './errors.ts'

export type ConfigFile = { readonly path: string; readonly values: Readonly<Record<string, unknown>> }

/** Reads a JSON object from a file. */
export const readConfigFile = async (path: string): Promise<ConfigFile> => {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigFileError(`The configuration file ${path} cannot be read (${error.code}).`, { cause: error })
  })
  return { path, values: parseObject(path, content) }
}

/** The same, and `undefined` where there is no such file. */
export const findConfigFile = async (path: string): Promise<ConfigFile | undefined> => {
  try {
    return await readConfigFile(path)
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined
    throw error
  }
}

const parseObject = (path: string, content: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (cause) {
    throw new ConfigFileError(`The configuration file ${path} is not JSON: ${(cause as Error).message}.`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigFileError(`The configuration file ${path} must hold a JSON object with a key for each setting.`)
  }
  return value as Record<string, unknown>
}
