import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../observe/Logger.ts'
import { DatabaseUnavailableError } from '../errors.ts'
import { type ConnectionSettings, connectionConfig, describePlace } from './connectionSettings.ts'
import { toDatabaseError } from './toDatabaseError.ts'

/** A connection of its own, to be ended by whoever opened it. What befalls it is told to `onLost`, once. */
export const openClient = async (
  settings: ConnectionSettings,
  onLost: (error: unknown) => void = () => {},
): Promise<pg.Client> => {
  const client = new pg.Client(connectionConfig(settings))
  let isLost = false
  const lose = (error: unknown): void => {
    if (isLost) return
    isLost = true
    onLost(toDatabaseError(error))
  }
  client.on('error', lose)
  try {
    await client.connect()
  } catch (error) {
    isLost = true
    throw toDatabaseError(error)
  }
  client.on('end', () => lose(new Error('Connection terminated')))
  return client
}

export type PatientOptions = { readonly logger: Logger; readonly signal: AbortSignal; readonly waitMs: number }

const RETRY_MS = 250
const TELL_MS = 5000

/** The same, for a server that may still be on its way up: it is waited for. */
export const openClientPatiently = async (
  settings: ConnectionSettings,
  { logger, signal, waitMs }: PatientOptions,
): Promise<pg.Client> => {
  const start = performance.now()
  let told = start - TELL_MS + 1000
  for (;;) {
    signal.throwIfAborted()
    try {
      return await openClient(settings)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error
      const now = performance.now()
      if (now - start > waitMs) {
        throw new DatabaseUnavailableError(
          `The database at ${describePlace(settings.url)} did not become available within ${Math.round(waitMs / 1000)} s. ${error.message}`,
          { cause: error },
        )
      }
      if (now - told > TELL_MS) {
        told = now
        logger.warn('waiting for the database', { place: describePlace(settings.url), error })
      }
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}
