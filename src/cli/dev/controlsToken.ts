import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { UsageError } from '../errors.ts'
import { isPrivate } from '../operations/operatorAccess.ts'

const TOKEN_BYTES = 24
const MIN_GIVEN = 16

/** What a caller of the controls must name. */
export type ControlsToken = {
  readonly text: string
  /** It was made here and not given, so it has to be told. */
  readonly isMade: boolean
}

/**
 * The token of the controls at /dev; `undefined` where none is needed, because only this machine reaches the service. One that is given is
 * always needed. One that is made is kept in the data folder, if there is one.
 */
export const loadControlsToken = async (
  config: Pick<Config, 'controlsToken' | 'host' | 'trustedProxies'>,
  folder: string | undefined,
): Promise<ControlsToken | undefined> => {
  const given = config.controlsToken?.reveal()
  if (given !== undefined) return { text: checkGiven(given), isMade: false }
  if (isPrivate(config)) return undefined
  const kept = folder === undefined ? undefined : await findKeptToken(folder)
  if (kept !== undefined) return { text: kept, isMade: true }
  const text = randomBytes(TOKEN_BYTES).toString('base64url')
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    await writeFile(pathOf(folder), `${text}\n`, { mode: 0o600 })
  }
  return { text, isMade: true }
}

/** The token that a service with this data folder has made, for programs on the same machine. */
export const findKeptToken = async (folder: string): Promise<string | undefined> => {
  const text = (await readFile(pathOf(folder), 'utf8').catch(() => '')).trim()
  return text.length >= MIN_GIVEN ? text : undefined
}

const pathOf = (folder: string): string => join(folder, 'controls.token')

const checkGiven = (given: string): string => {
  if (given.length >= MIN_GIVEN && /^[\x21-\x7e]+$/.test(given)) return given
  throw new UsageError(
    `The controls token must have ${MIN_GIVEN} printable characters at least, without blanks.`,
    'Make one, for instance with: openssl rand -hex 32',
  )
}
