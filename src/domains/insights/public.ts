export { type AgencyFacts, InvalidFactsError, parseFacts } from './server/facts.ts'
export { backtestForecast, type ForecastBacktest } from './server/forecast-backtest.ts'
export { type BacktestRange, backtestSilence, type SilenceBacktest } from './server/silence-backtest.ts'
export { readStoredFacts } from './server/stored-facts.ts'
