export { CesClient, CesError } from './stand-in.ts';
