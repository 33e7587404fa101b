// The server of the v2 bench: the interface over a network that is given by its global configuration.
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import { serveParent } from './benchChild.ts'
import { serveV2 } from './v2Service.ts'

const [globalConfig = ''] = process.argv.slice(2)
const { url } = await serveV2(await readGlobalConfig(globalConfig), { checkResults: false })
serveParent({ url })
