import type { Config } from '../config/settings.ts'

/** Whether the settings say which network it is. */
export const namesNetwork = ({ network, globalConfig, liteservers }: Config): boolean =>
  network !== 'custom' || globalConfig !== undefined || liteservers.length > 0
