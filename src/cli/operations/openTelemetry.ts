import type { Config } from '../../config/settings.ts'
import type { Logger } from '../../observe/Logger.ts'
import { createTelemetry } from '../../observe/otlp/createTelemetry.ts'
import { installCommand, TelemetryMissingError } from '../../observe/otlp/sdk.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { setTelemetry, type TelemetrySource } from '../../observe/Tracer.ts'
import { UsageError } from '../errors.ts'
import { readVersion } from '../readVersion.ts'

/** Where the settings send telemetry; `undefined`: nowhere. */
export const telemetryOf = ({ otlpEndpoint, otlpSample, trustTraceparent }: Config): TelemetrySource | undefined =>
  otlpEndpoint && {
    endpoint: otlpEndpoint.href,
    sampled: otlpSample / 100,
    trustsCallers: trustTraceparent,
    version: readVersion(),
  }

/** Opens the telemetry of this process. Call it before all else: what is created earlier is not traced. */
export const openTelemetry = async (
  source: TelemetrySource,
  logger: Logger,
  shutdown: Pick<Shutdown, 'add'>,
): Promise<void> => {
  try {
    const telemetry = await createTelemetry(source, logger)
    setTelemetry(telemetry)
    shutdown.add('telemetry', () => telemetry.close())
  } catch (error) {
    if (!(error instanceof TelemetryMissingError)) throw error
    throw new UsageError(
      error.message,
      `Install the packages beside chaincenter (with -g if that is global): ${installCommand}`,
    )
  }
}
