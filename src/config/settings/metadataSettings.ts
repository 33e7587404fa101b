import { integer, toggle, webUrl } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const metadataSettings = {
  metadata: setting({
    flag: '--metadata',
    env: 'CHAINCENTER_METADATA',
    group: 'Token metadata (the command index)',
    about:
      'Fetches what tokens say of themselves outside the chain: names, descriptions and the URLs of pictures. Contracts name the places, and only those of the public internet are asked.',
    kind: toggle(),
    default: false,
  }),
  metadataHttp: setting({
    flag: '--metadata-http',
    env: 'CHAINCENTER_METADATA_HTTP',
    group: 'Token metadata (the command index)',
    about: 'Takes metadata over http, too, which anybody on the way can change.',
    kind: toggle(),
    default: false,
  }),
  metadataIpfsGateway: setting({
    flag: '--metadata-ipfs-gateway',
    env: 'CHAINCENTER_METADATA_IPFS_GATEWAY',
    group: 'Token metadata (the command index)',
    about:
      'Where ipfs:// is looked up, such as http://127.0.0.1:8080/ipfs/ for a node of your own. Without it, such metadata is not fetched.',
    kind: webUrl(),
    default: undefined,
  }),
  metadataParallel: setting({
    flag: '--metadata-parallel',
    env: 'CHAINCENTER_METADATA_PARALLEL',
    group: 'Token metadata (the command index)',
    about: 'How many documents are fetched at once, from one host never more than four.',
    kind: integer({ min: 1, max: 256 }),
    default: 32,
  }),
  metadataImageProxy: setting({
    flag: '--metadata-image-proxy',
    env: 'CHAINCENTER_METADATA_IMAGE_PROXY',
    group: 'Token metadata (the command index)',
    about:
      'An image proxy with the presets small, medium and big. Metadata then has URLs of smaller copies, which begin with this.',
    kind: webUrl(),
    default: undefined,
  }),
} as const satisfies Settings
