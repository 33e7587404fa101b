import { furtherNetwork, hostName, list } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

export const severalSettings = {
  also: setting({
    flag: '--also',
    env: 'CHAINCENTER_ALSO',
    group: 'Several networks (start)',
    about:
      'Serves a further network at /<name>, next to the first one at /; repeatable. It takes its own settings from the file after =, and those of HTTP, operations, limits, streams, webhooks and logs from the first network unless the file sets them. main and test need no file. API keys of the first network are valid for it; rate limits are counted apart. Its data folder is networks/<name> in the first one. In the environment, CHAINCENTER_<NAME>__DATABASE_URL is its CHAINCENTER_DATABASE_URL.',
    kind: list(furtherNetwork()),
    default: [],
  }),
  virtualHosts: setting({
    flag: '--virtual-host',
    env: 'CHAINCENTER_VIRTUAL_HOSTS',
    group: 'Several networks (start)',
    about:
      'With --also: host name at which this network is at / too, such as testnet.example.org; repeatable, and meant for the file of a further network.',
    kind: list(hostName()),
    default: [],
  }),
} as const satisfies Settings
