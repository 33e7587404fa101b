import type { Database } from '../../store/connect/Database.ts'
import type { CommandContext } from '../Command.ts'
import { dataFolder, gatewayOptions } from './gatewayOptions.ts'
import { type OpenedGateway, openGateway } from './openGateway.ts'

/** What stands before the interfaces of a network that the settings name, its keys known; `undefined` where nobody is limited. */
export const openServiceGateway = async (
  { config, logger, shutdown, workingDir }: Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>,
  { zeroState, database }: { readonly zeroState: Uint8Array | undefined; readonly database: Database | undefined },
): Promise<OpenedGateway | undefined> => {
  const options = gatewayOptions(config, { folder: dataFolder(config, workingDir), isEmbedded: false })
  if (options === undefined) return undefined
  const parts = { zeroState, database: database && Promise.resolve(database), logger }
  const gateway = await openGateway(options, parts, shutdown)
  await gateway.ready
  return gateway
}
