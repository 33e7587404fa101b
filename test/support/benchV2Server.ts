// A server of the v2 interface in a process of its own, over a network that is given by its global configuration. What it may
// keep can be given, too.
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { openV2 } from '../../src/cli/serve/openV2.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { serveParent } from './benchChild.ts'

const [path = '', cacheBytes] = process.argv.slice(2)
const logged: string[] = []
const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => void logged.push(line) })
const { liteServers: servers, zeroState, anchor } = await readGlobalConfig(path)
const network = { servers, zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000, logger } as const
const opened = await openNode(network, { add: () => () => undefined })
const cache = cacheBytes === undefined ? {} : { cacheBytes: Number(cacheBytes) }
const node = new ProvenNode(opened.pool, opened.trust, cache)
const vm = await createVirtualMachine({ logger, startAfterMs: 0 })
const { mounts } = openV2({ node, vm, dialect: 'chain', ...cache })
const { url } = await createHttpServer({ mounts, logger, host: '127.0.0.1', port: 0 })
serveParent({ url }, logged)
