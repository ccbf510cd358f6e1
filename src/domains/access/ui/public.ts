export { useCurrentUser } from './current-user.ts'
export { useColleagueChoices } from './useColleagueChoices.ts'
