// The one thing of Node that the program needs.
declare const process: { argv: string[] };
