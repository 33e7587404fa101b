/**
 * The whole environment of the server. Nothing of ours goes in: not a HOME with settings for clients, not a PG… variable, not a
 * language in which messages could not be recognised.
 */
export const serverEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
}
